import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { calendarService } from './service';

void runService(calendarService, variables, process.env);
