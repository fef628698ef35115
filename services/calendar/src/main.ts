import { runService } from '@sevenfold/chassis/service';
import { variables } from './config';
import { calendarService } from './service';

void runService(calendarService, variables, process.env);
